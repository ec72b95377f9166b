#!/usr/bin/env bash
# When the day of an instant begins is asked for budgets, reports and quotas of a day. On 2024-11-03 Havana had 00:00 twice, and the
# answer depends on what is asked, and when: Java 17's truncatedTo and PHP 8.2's setTime give the second 00:00 from the second on,
# for the rest of the day; Python's replace and pendulum 3.3.0 give it only within the hour that comes twice. On 2024-09-08 Santiago
# had no 00:00: for Go 1.19 and pendulum the day begins at 23:00 of the day before, and GNU date 9.1 calls the date invalid.
# Java's atStartOfDay, PHP's constructor, Python's combine, arrow 1.4.0 and whenever 0.11.0 give the first instant of each day.
# Expected: zone and moments (UTC); for each of them, when its local day began, in UTC.
set -euo pipefail
for tool in java go php date; do
    command -v "$tool" >/dev/null || { echo "needs $tool (Debian 12: openjdk-17-jdk-headless golang-go php-cli)" && exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pendulum==3.3.0 arrow==1.4.0 whenever==0.11.0 tzdata==2026.6 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >days.py <<'END'
import datetime, sys, zoneinfo
import arrow, pendulum, whenever
zone, moments = sys.argv[1], [datetime.datetime.fromisoformat(moment + "+00:00") for moment in sys.argv[2:]]
def local(moment): return moment.astimezone(zoneinfo.ZoneInfo(zone))
for name, begin in (
    ("Python, replace", lambda moment: local(moment).replace(hour=0, minute=0)),
    ("Python, combine", lambda moment: datetime.datetime.combine(local(moment), datetime.time(), zoneinfo.ZoneInfo(zone))),
    ("arrow, floor", lambda moment: arrow.get(moment).to(zone).floor("day")),
    ("pendulum, start_of", lambda moment: pendulum.instance(moment).in_timezone(zone).start_of("day")),
    ("whenever, start_of", lambda moment: whenever.Instant(moment).to_tz(zone).start_of("day").to_stdlib()),
):
    print(name + ":", *[begin(moment).astimezone(datetime.timezone.utc).strftime("%d. %H:%M") for moment in moments], sep="\t")
END
cat >Days.java <<'END'
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.stream.*;
public class Days {
    public static void main(String[] texts) {
        print("Java, truncatedTo", texts, local -> local.truncatedTo(ChronoUnit.DAYS));
        print("Java, atStartOfDay", texts, local -> local.toLocalDate().atStartOfDay(local.getZone()));
    }
    static void print(String name, String[] texts, Function<ZonedDateTime, ZonedDateTime> begin) {
        var form = DateTimeFormatter.ofPattern("dd. HH:mm").withZone(ZoneOffset.UTC);
        System.out.println(name + ":\t" + Stream.of(texts).skip(1).map(text ->
            form.format(begin.apply(Instant.parse(text + ":00Z").atZone(ZoneId.of(texts[0]))))).collect(Collectors.joining("\t")));
    }
}
END
cat >days.php <<'END'
<?php
$zone = new DateTimeZone($argv[1]);
$begins = ['PHP, setTime' => fn($local) => $local->setTime(0, 0), 'PHP, new' => fn($local) => new DateTimeImmutable($local->format('Y-m-d'), $zone)];
foreach ($begins as $name => $begin) {
    echo "$name:";
    foreach (array_slice($argv, 2) as $text) {
        $local = (new DateTimeImmutable("{$text}Z"))->setTimezone($zone);
        echo "\t", $begin($local)->setTimezone(new DateTimeZone('UTC'))->format('d. H:i');
    }
    echo "\n";
}
END
cat >days.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	zone, _ := time.LoadLocation(os.Args[1])
	fmt.Print("Go, time.Date:")
	for _, text := range os.Args[2:] {
		moment, _ := time.Parse("2006-01-02T15:04", text)
		year, month, day := moment.In(zone).Date()
		fmt.Print("\t", time.Date(year, month, day, 0, 0, 0, 0, zone).UTC().Format("02. 15:04"))
	}
	fmt.Println()
}
END
for days in "America/Havana 2024-11-03T04:30 2024-11-03T05:30 2024-11-03T18:00" "America/Santiago 2024-09-08T15:00"; do
    read -r -a words <<<"$days"
    echo "${words[@]}"
    venv/bin/python days.py "${words[@]}"
    java Days.java "${words[@]}"
    php days.php "${words[@]}"
    go run days.go "${words[@]}"
    LC_ALL=C date -u -d "TZ=\"${words[0]}\" ${words[1]%T*} 0:00" '+GNU date:%t%d. %H:%M' 2>/dev/null || echo "GNU date:	invalid"
done | tee found
diff found - <<'END'
America/Havana 2024-11-03T04:30 2024-11-03T05:30 2024-11-03T18:00
Python, replace:	03. 04:00	03. 05:00	03. 04:00
Python, combine:	03. 04:00	03. 04:00	03. 04:00
arrow, floor:	03. 04:00	03. 04:00	03. 04:00
pendulum, start_of:	03. 04:00	03. 05:00	03. 04:00
whenever, start_of:	03. 04:00	03. 04:00	03. 04:00
Java, truncatedTo:	03. 04:00	03. 05:00	03. 05:00
Java, atStartOfDay:	03. 04:00	03. 04:00	03. 04:00
PHP, setTime:	03. 04:00	03. 05:00	03. 05:00
PHP, new:	03. 04:00	03. 04:00	03. 04:00
Go, time.Date:	03. 04:00	03. 04:00	03. 04:00
GNU date:	03. 04:00
America/Santiago 2024-09-08T15:00
Python, replace:	08. 04:00
Python, combine:	08. 04:00
arrow, floor:	08. 04:00
pendulum, start_of:	08. 03:00
whenever, start_of:	08. 04:00
Java, truncatedTo:	08. 04:00
Java, atStartOfDay:	08. 04:00
PHP, setTime:	08. 04:00
PHP, new:	08. 04:00
Go, time.Date:	08. 03:00
GNU date:	invalid
END
