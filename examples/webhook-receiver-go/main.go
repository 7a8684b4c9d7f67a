// Receives webhooks with nothing but the standard library: verifies, handles each event once, answers.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	bodyMaxBytes = 1 << 20
	tolerance    = 5 * time.Minute
	remembered   = 10_000
)

var secret = []byte(os.Getenv("PORTICO_WEBHOOK_SECRET"))

// onEvent is your own code. It has 8 seconds; hand slow work to a queue.
func onEvent(event json.RawMessage) error {
	fmt.Println(string(event))
	return nil
}

// once remembers the events that were handled, and forgets the oldest.
type once struct {
	sync.Mutex
	seen  map[string]bool
	order []string
}

func (o *once) claim(id string) bool {
	o.Lock()
	defer o.Unlock()
	if o.seen[id] {
		return false
	}
	o.seen[id] = true
	o.order = append(o.order, id)
	if len(o.order) > remembered {
		delete(o.seen, o.order[0])
		o.order = o.order[1:]
	}
	return true
}

func (o *once) release(id string) {
	o.Lock()
	defer o.Unlock()
	delete(o.seen, id)
}

var handled = &once{seen: map[string]bool{}}

func isGenuine(id, timestamp, signature string, body []byte) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "\n" + timestamp + "\n"))
	mac.Write(body)
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature)) {
		return false
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	return err == nil && time.Since(time.UnixMilli(sent)).Abs() <= tolerance
}

func receive(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	// The bytes that arrived are what is signed: they are parsed after the signature has been compared.
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyMaxBytes))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	header := request.Header
	id, timestamp, signature := header.Get("X-Open-Event-Id"), header.Get("X-Open-Timestamp"), header.Get("X-Open-Signature")
	if id == "" || timestamp == "" || signature == "" {
		answerUnsigned(response, body)
		return
	}
	if !isGenuine(id, timestamp, signature, body) {
		// The service tries again after 425: the secret may just have been rotated.
		response.WriteHeader(http.StatusTooEarly)
		return
	}
	if handled.claim(id) {
		if err := onEvent(body); err != nil {
			handled.release(id)
			log.Print("the event could not be handled: ", err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
	}
	response.WriteHeader(http.StatusNoContent)
}

// answerUnsigned takes the request that verifies the address, the only one without a signature.
func answerUnsigned(response http.ResponseWriter, body []byte) {
	var asked struct{ Type, Challenge string }
	if json.Unmarshal(body, &asked) != nil || asked.Type != "url_verification" {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	response.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(response).Encode(map[string]string{"challenge": asked.Challenge})
}

func main() {
	if len(secret) == 0 {
		log.Fatal("PORTICO_WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{Handler: http.HandlerFunc(receive), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
