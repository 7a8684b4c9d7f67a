"""Receives webhooks with nothing but the standard library: verifies, handles each event once, answers."""

import hashlib
import hmac
import json
import os
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["PORTICO_WEBHOOK_SECRET"].encode()
BODY_MAX_BYTES = 1024 * 1024
TOLERANCE_MS = 300_000
REMEMBERED = 10_000

handled = OrderedDict()
lock = threading.Lock()


def on_event(event):
    """Your own code. It has 8 seconds; hand slow work to a queue."""
    print(json.dumps(event, ensure_ascii=False), flush=True)


def is_genuine(headers, body):
    timestamp = headers["X-Open-Timestamp"]
    text = headers["X-Open-Event-Id"].encode() + b"\n" + timestamp.encode() + b"\n" + body
    expected = hmac.new(SECRET, text, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), headers["X-Open-Signature"].encode()):
        return False
    return abs(time.time() * 1000 - int(timestamp)) <= TOLERANCE_MS


def handle_once(event):
    with lock:
        if event["eventId"] in handled:
            return
        handled[event["eventId"]] = True
        if len(handled) > REMEMBERED:
            handled.popitem(last=False)
    try:
        on_event(event)
    except Exception:
        with lock:
            handled.pop(event["eventId"], None)
        raise


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > BODY_MAX_BYTES:
            return self.answer(413)
        # The bytes that arrived are what is signed: they are parsed after the signature has been compared.
        body = self.rfile.read(int(length))
        names = ("X-Open-Event-Id", "X-Open-Timestamp", "X-Open-Signature")
        if not all(self.headers.get(name) for name in names):
            return self.answer_unsigned(body)
        if not is_genuine(self.headers, body):
            # The service tries again after 425: the secret may just have been rotated.
            return self.answer(425)
        try:
            handle_once(json.loads(body))
        except Exception as error:
            self.log_error("the event could not be handled: %r", error)
            return self.answer(500)
        self.answer(204)

    def answer_unsigned(self, body):
        """Only the request that verifies the address has no signature."""
        try:
            asked = json.loads(body)
            challenge = asked["challenge"] if asked["type"] == "url_verification" else None
        except (ValueError, KeyError, TypeError):
            challenge = None
        if challenge is None:
            return self.answer(401)
        self.answer(200, json.dumps({"challenge": challenge}).encode())

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing for each request; log_error still writes."""

    def log_error(self, text, *values):
        BaseHTTPRequestHandler.log_message(self, text, *values)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
