module example.com/portico-webhook-receiver

go 1.21
