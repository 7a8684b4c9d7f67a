#!/bin/sh
# Makes the secrets that compose.yaml reads, once: what is there stays as it is. Keep a copy of master_key elsewhere.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
[ -e secrets/master_key ] || openssl rand -hex 32 >secrets/master_key
[ -e secrets/database_password ] || openssl rand -hex 24 >secrets/database_password
[ -e secrets/redis_password ] || openssl rand -hex 24 >secrets/redis_password
[ -e secrets/store_user ] || echo portico >secrets/store_user
[ -e secrets/store_password ] || openssl rand -hex 24 >secrets/store_password
[ -e secrets/database_url ] ||
  printf 'postgres://portico:%s@postgres:5432/portico\n' "$(cat secrets/database_password)" >secrets/database_url
[ -e secrets/redis_url ] ||
  printf 'redis://:%s@redis:6379\n' "$(cat secrets/redis_password)" >secrets/redis_url
# Compose hands the files over as they are, and the users in the containers are not the one here. Here only the owner
# gets into the folder.
chmod 644 secrets/*
