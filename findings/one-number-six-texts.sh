#!/usr/bin/env bash
# One number of 64 bits as the standard libraries of six languages write it (PHP, Python, Node.js and Go as JSON, Java and C#
# as text that is JSON, too): each begins to write an exponent elsewhere (Java at 10^7, Mono at 10^15, Python at 10^16, PHP
# at 10^17, Go and Node.js at 10^21), and 2e23 is not the shortest text in OpenJDK 17 (JDK-4511638, mended in 19). All of these
# texts are JSON of the same number, but for Mono 6.8, whose format "R" ("round trip") writes 0.84551240822557 for
# 0.84551240822557006: a text that is read as another number. So a rule that compares texts of numbers matches by the
# sender's language.
# Expected: language and texts, of what the first row has.
set -euo pipefail
for tool in java node go php mcs mono python3; do
    command -v "$tool" >/dev/null || { echo "needs $tool (Debian 12: openjdk-17-jdk-headless golang-go nodejs php-cli mono-mcs)" && exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
numbers="10000000.0 1000000000000000.0 1e16 1e17 1e21 0.00001 2e23 0.84551240822557006"
cat >Numbers.java <<'END'
public class Numbers {
    public static void main(String[] texts) {
        for (String text : texts) System.out.print(" " + Double.parseDouble(text));
    }
}
END
cat >numbers.go <<'END'
package main

import ("encoding/json"; "os"; "strconv")

func main() {
	for _, text := range os.Args[1:] {
		number, _ := strconv.ParseFloat(text, 64)
		written, _ := json.Marshal(number)
		os.Stdout.WriteString(" " + string(written))
	}
}
END
cat >numbers.cs <<'END'
using System;
using System.Globalization;
static class Numbers
{
    static void Main(string[] texts)
    {
        foreach (string text in texts)
            Console.Write(" " + double.Parse(text, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture));
    }
}
END
mcs -out:numbers.exe numbers.cs
{
    echo "text $numbers"
    echo "python$(python3 -c 'import json, sys; print("".join(" " + json.dumps(float(text)) for text in sys.argv[1:]))' $numbers)"
    echo "node$(node -e 'console.log(process.argv.slice(1).map((text) => " " + JSON.stringify(Number(text))).join(""))' -- $numbers)"
    echo "go$(go run numbers.go $numbers)"
    echo "php$(php -d serialize_precision=-1 -r 'foreach (array_slice($argv, 1) as $text) echo " ", json_encode((float) $text);' -- $numbers)"
    echo "java$(java Numbers.java $numbers)"
    echo "mono$(mono numbers.exe $numbers)"
} | tee found
diff found - <<'END'
text 10000000.0 1000000000000000.0 1e16 1e17 1e21 0.00001 2e23 0.84551240822557006
python 10000000.0 1000000000000000.0 1e+16 1e+17 1e+21 1e-05 2e+23 0.8455124082255701
node 10000000 1000000000000000 10000000000000000 100000000000000000 1e+21 0.00001 2e+23 0.8455124082255701
go 10000000 1000000000000000 10000000000000000 100000000000000000 1e+21 0.00001 2e+23 0.8455124082255701
php 10000000 1000000000000000 10000000000000000 1.0e+17 1.0e+21 1.0e-5 2.0e+23 0.8455124082255701
java 1.0E7 1.0E15 1.0E16 1.0E17 1.0E21 1.0E-5 1.9999999999999998E23 0.8455124082255701
mono 10000000 1E+15 1E+16 1E+17 1E+21 1E-05 2E+23 0.84551240822557
END
