#!/bin/sh
# python-dotenv replaces ${NAME} even within single quotes, where a shell takes each letter as it is. So a password with
# these letters, quoted as for a shell, comes out as another one, unless `interpolate=False` is given.
# Seen with python-dotenv 1.2.2. What it means for us: `webapp/core/settings_file.py` reads without interpolation.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet python-dotenv==1.2.2
printf "PASSWORD='before\${PLACE}after'\n" >"$folder/file.env"

cat >"$folder/read.py" <<'PYTHON'
import sys
from dotenv import dotenv_values
print(dotenv_values(sys.argv[1])["PASSWORD"])
print(dotenv_values(sys.argv[1], interpolate=False)["PASSWORD"])
PYTHON
seen=$(PLACE=-and- "$folder/venv/bin/python" "$folder/read.py" "$folder/file.env")
shell=$(PLACE=-and- sh -c ". '$folder/file.env'; printf '%s' \"\$PASSWORD\"")
echo "python-dotenv: $(echo "$seen" | head -1)"
echo "python-dotenv with interpolate=False: $(echo "$seen" | tail -1)"
echo "sh: $shell"
[ "$seen" = "before-and-after
before\${PLACE}after" ] && [ "$shell" = "before\${PLACE}after" ]
