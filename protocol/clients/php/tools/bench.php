<?php

declare(strict_types=1);

// Measures pushes a second, one request each: HOST PORT APP TOKEN PRODUCER COUNT. The producer is not used over HTTP.

namespace ReloadRouter;

require __DIR__ . '/autoload.php';

[, $host, $port, $app, $token, , $count] = $argv;
$publisher = new Publisher("http://$host:$port", $app, $token, new Settings(allowPlain: true));
$cpu = static function (): float {
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']
        + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
};
[$began, $used] = [hrtime(true), $cpu()];
for ($n = 0; $n < (int) $count; $n++) {
    $publisher->push(['event' => 'damage', 'character' => 'elf-42', 'amount' => $n]);
}
echo json_encode([
    'pushes' => (int) $count,
    'seconds' => round((hrtime(true) - $began) / 1e9, 4),
    'cpuSeconds' => round($cpu() - $used, 4),
]), "\n";
