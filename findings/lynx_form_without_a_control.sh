#!/bin/sh
# Lynx 2.9.0dev.12 (Debian 12): a form with method="post" whose only button has no name is sent as GET; the same form with
# a name on its button is sent as POST. HTML lets a form be sent without any successful control, and other browsers POST it.
# What it means for us: every form of ours sends something (`tests/webapp/test_unstyled.py`).
# It needs Debian's apt and dpkg, and script(1) of util-linux.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq lynx=2.9.0dev.12-1 lynx-common=2.9.0dev.12-1
for package in *.deb; do dpkg -x "$package" .; done
cat >serve.py <<'PYTHON'
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

name = ' name="do" value="yes"' if sys.argv[1] == "named" else ""
PAGE = f'<title>A form</title><form method="post" action="/sent"><button{name}>Go</button></form>'.encode()


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/sent"):
            print(self.command, flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, file=open("port", "w"), flush=True)
server.serve_forever()
PYTHON
printf 'key ^J\nkey q\nkey y\n' >keys  # press the button, and leave
lynx="usr/bin/lynx -cfg=etc/lynx/lynx.cfg -lss=etc/lynx/lynx.lss -cmd_script=keys"
for kind in nameless named; do
    rm -f port
    python3 serve.py $kind >"$kind" &
    server=$!
    while [ ! -s port ]; do sleep 0.1; done
    TERM=xterm timeout 30 script -qec "$lynx http://127.0.0.1:$(cat port)/" /dev/null >/dev/null 2>&1 || :
    sleep 0.5
    kill $server
    echo "a form with a $kind button: $(cat $kind)"
done
[ "$(cat nameless)" = GET ] && [ "$(cat named)" = POST ] || { echo "Lynx behaves differently" >&2; exit 1; }
