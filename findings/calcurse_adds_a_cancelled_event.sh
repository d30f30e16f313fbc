#!/bin/sh
# calcurse 4.7.1 (Debian 12): an invitation (METHOD:REQUEST) and its cancellation (METHOD:CANCEL, the same UID,
# a higher SEQUENCE, STATUS:CANCELLED; RFC 5546, 3.2.5) are imported as two appointments: the cancellation adds one.
# What it means for us: a mail that calls an evening off has no file to open, and its summary begins with "Called off".
# It needs Debian's apt and dpkg.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq calcurse
for package in *.deb; do dpkg -x "$package" .; done
mkdir data
event() {
    printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 "PRODID:-//Example//Evenings//EN" "METHOD:$1" BEGIN:VEVENT \
        UID:evening-1@example.org "SEQUENCE:$2" DTSTAMP:20260301T120000Z DTSTART:20260302T190000Z \
        DTEND:20260302T210000Z "SUMMARY:$3" ORGANIZER:mailto:host@example.org \
        ATTENDEE:mailto:ann@example.org "STATUS:$4" END:VEVENT END:VCALENDAR
}
event REQUEST 0 "An evening" CONFIRMED >invitation.ics
event CANCEL 1 "Called off: an evening" CANCELLED >cancellation.ics
calendar="usr/bin/calcurse -D data -C data"
$calendar --version | head -n 1
$calendar --version | grep -q "4\.7\.1" || { echo "another version of calcurse" >&2; exit 1; }
$calendar -q -i invitation.ics >/dev/null
$calendar -q -i cancellation.ics >/dev/null
cat data/apts
[ "$(wc -l <data/apts)" = 2 ] || { echo "calcurse behaves differently" >&2; exit 1; }
