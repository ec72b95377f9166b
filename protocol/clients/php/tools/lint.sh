#!/bin/sh
# Checks the syntax of all files.
set -e
find . -name '*.php' | while read -r file; do php -l "$file" >/dev/null; done
