#!/bin/sh
# Courier says no UIDNEXT when a folder is opened, which RFC 3501 (6.3.1) lets it do. And as long as nobody has opened
# the folder to change it, it has another UIDVALIDITY at each look, so that no number of a mail lasts.
# Seen with Debian 12's courier-imap 5.0.13. What it means for us: `worker/fetching.py` goes by the numbers that it has
# seen, and opens a folder whose numbers are new to be changed, once. Needs Debian 12, and its lists of packages.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq courier-imap=5.0.13* courier-authlib libcourier-unicode4 libgamin0 libidn12 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
for part in cur new tmp; do mkdir -p "mail/$part"; done
printf 'From: ann@example.org\nSubject: Hello\n\nHello\n' >mail/new/1.mail

look() {  # opens the inbox by the command $1, after login
    printf 'a %s INBOX\r\nb LOGOUT\r\n' "$1" | AUTHENTICATED=ann IMAP_CAPABILITY=IMAP4rev1 IMAP_USELOCKS=0 \
        LD_LIBRARY_PATH=$(echo root/usr/lib root/usr/lib/*-linux-gnu | tr ' ' :) root/usr/bin/imapd "$folder/mail" 2>/dev/null
}
validity() { look "$1" | sed -n 's/.*UIDVALIDITY \([0-9]*\).*/\1/p'; }

look EXAMINE
! look EXAMINE | grep UIDNEXT
first=$(validity EXAMINE); sleep 1.1; second=$(validity EXAMINE)
third=$(validity SELECT); sleep 1.1; fourth=$(validity EXAMINE)
echo "UIDVALIDITY: $first, a second later $second; once the folder was opened to be changed $third, and $fourth"
[ "$first" != "$second" ] && [ "$third" = "$fourth" ]
