<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * Payloads as JSON.
 */
final class Payload
{
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES
        | JSON_PRESERVE_ZERO_FRACTION;

    /**
     * A payload as one line of JSON. An empty array is an empty object at the top; for one within, use `new stdClass`.
     *
     * @param array<mixed>|object|string $payload an array with keys, an object, or JSON
     * @throws \InvalidArgumentException if it is a list, or cannot be written as JSON
     */
    public static function encode(array|object|string $payload): string
    {
        if (is_string($payload)) {
            // A line feed within JSON is white space: texts have it as \n.
            return strtr($payload, "\r\n", '  ');
        }
        if ($payload === []) {
            return '{}';
        }
        if (is_array($payload) && array_is_list($payload)) {
            throw new \InvalidArgumentException('a payload is an object, not a list');
        }
        try {
            return self::withShortestNumbers(static fn (): string => json_encode($payload, self::FLAGS));
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("the payload is no JSON: {$error->getMessage()}", 0, $error);
        }
    }

    /**
     * Calls what writes numbers, each as the shortest text that is read as the same: 0.1, whatever
     * `serialize_precision` of php.ini says, by which it may be 0.10000000000000001, and match nothing.
     *
     * @param \Closure(): string $write
     * @throws \InvalidArgumentException if the setting is another and cannot be changed
     */
    private static function withShortestNumbers(\Closure $write): string
    {
        $before = ini_get('serialize_precision');
        if ($before === '-1') {
            return $write();
        }
        if (!function_exists('ini_set') || ini_set('serialize_precision', '-1') === false) {
            throw new \InvalidArgumentException("serialize_precision is $before: set it to -1 in php.ini");
        }
        try {
            return $write();
        } finally {
            ini_set('serialize_precision', (string) $before);
        }
    }
}
