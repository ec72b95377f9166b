<?php

declare(strict_types=1);

// Unit tests without a framework: each function is a test, and its name a sentence about behaviour.

namespace ReloadRouter\Tests;

use InvalidArgumentException;
use ReloadRouter\Payload;
use ReloadRouter\Publisher;
use ReloadRouter\Rejection;
use ReloadRouter\Result;
use ReloadRouter\Settings;

require __DIR__ . '/../tools/autoload.php';

function same(mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new \Exception('expected ' . var_export($expected, true) . ', found ' . var_export($found, true));
    }
}

function refuses(\Closure $action): void
{
    try {
        $action();
    } catch (InvalidArgumentException) {
        return;
    }
    throw new \Exception('it was not refused');
}

$tests = [
    'an empty payload is an object' => static function (): void {
        same('{}', Payload::encode([]));
        same('{}', Payload::encode(new \stdClass()));
        same('{"a":{}}', Payload::encode(['a' => new \stdClass()]));
    },
    'numbers keep their kind' => static function (): void {
        same('{"a":1.0,"b":1,"c":9007199254740993}', Payload::encode(['a' => 1.0, 'b' => 1, 'c' => 9007199254740993]));
    },
    'numbers are the shortest ones, whatever the settings of PHP say' => static function (): void {
        foreach (['17', '6', '-1'] as $precision) {
            ini_set('serialize_precision', $precision);
            same('{"a":0.1,"b":[277.2,1.0e+25]}', Payload::encode(['a' => 0.1, 'b' => [277.2, 1e25]]));
            same($precision, ini_get('serialize_precision'));
            refuses(static fn () => Payload::encode(['a' => NAN]));
            same($precision, ini_get('serialize_precision'));
        }
    },
    'an address is a URL, or has a host and a port' => static function (): void {
        foreach (['router.example:7412', '[::1]:7412', 'router.example', 'https://router.example/prefix/'] as $address) {
            new Publisher($address, 'a');
        }
        foreach (['', ':7412', 'localhost:', 'localhost:0', 'localhost:65536', 'localhost:http', "a b:1", 'https://'] as $address) {
            refuses(static fn () => new Publisher($address, 'a'));
        }
    },
    'an address has no user, query or fragment' => static function (): void {
        $settings = new Settings(allowPlain: true);
        foreach (['u:p@a:1', 'u@a', '@a', ':@a', 'a:1?b', 'a/?', 'a/b?c=d', 'a:1#b', 'a/#', 'a?b#c'] as $address) {
            foreach (['', 'https://', 'http://'] as $scheme) {
                refuses(static fn () => new Publisher("$scheme$address", 'a', settings: $settings));
            }
        }
        new Publisher('https://a/b@c', 'a');
    },
    'ready-made JSON is one line' => static function (): void {
        same('{  "a":1 }', Payload::encode("{\r\n\"a\":1\n}"));
    },
    'what is no object, or no JSON, is refused' => static function (): void {
        refuses(static fn () => Payload::encode([1, 2]));
        refuses(static fn () => Payload::encode(['a' => "\xff"]));
        refuses(static fn () => Payload::encode(['a' => NAN]));
    },
    'a token cannot add headers' => static function (): void {
        refuses(static fn () => new Publisher('https://localhost', 'a', "t\r\nX: y"));
        refuses(static fn () => new Publisher('https://localhost', 'a', "t\n"));
        refuses(static fn () => new Publisher('https://localhost', 'a', ''));
    },
    'a key and kinds cannot add headers' => static function (): void {
        $publisher = new Publisher('https://localhost', 'a');
        foreach (["k\n", '', str_repeat('k', 256), 'é'] as $key) {
            refuses(static fn () => $publisher->push([], key: $key));
        }
        foreach (["k\n", "k\r\nX: y", '', 'a,b', ' a'] as $kind) {
            refuses(static fn () => $publisher->push([], kinds: [$kind]));
        }
    },
    'results add up' => static function (): void {
        $rejection = new Rejection(3, 'payload-too-deep', '');
        $sum = (new Result(1, 2, 3, moreRejected: 4))->and(new Result(10, 20, 30, [$rejection], 40));
        same([11, 22, 33, [$rejection]], [$sum->accepted, $sum->duplicates, $sum->matched, $sum->rejected]);
        same(44, $sum->moreRejected);
        same(null, $sum->outcome);
        $one = ['missed' => 1, 'duplicates' => 0, 'counts' => ['sent' => 2], 'widgets' => [1, 2, 3]];
        $other = ['missed' => 2, 'duplicates' => 5, 'counts' => ['sent' => 1, 'spacing' => 4], 'widgets' => [4, 5]];
        $sum = (new Result(outcome: $one))->and(new Result(outcome: $other))->and(new Result());
        same(['missed' => 3, 'duplicates' => 5, 'counts' => ['sent' => 3, 'spacing' => 4], 'widgets' => [1, 2, 3, 4]],
            $sum->outcome);
    },
];
$failed = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
    } catch (\Throwable $error) {
        $failed++;
        echo "FAILED $name: {$error->getMessage()} ({$error->getFile()}:{$error->getLine()})\n";
    }
}
echo 'Ran ', count($tests), " tests in one process\n";
exit($failed === 0 ? 0 : 1);
