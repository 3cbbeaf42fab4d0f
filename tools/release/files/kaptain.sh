#!/bin/sh
# Runs a command of Kaptain with the Node of this folder: ./kaptain help
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node/bin/node" "$here/app/service/lib/kaptain.js" "$@"
