<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * How a publisher connects, and how long it tries.
 */
final class Settings
{
    /**
     * @param string|null $caFile the authority that has signed the router's certificate; null for the system's
     * @param string|null $certificate the client's own certificate, as a PEM file
     * @param string|null $key its private key, as a PEM file
     * @param bool $allowPlain whether a URL without TLS (http:) is accepted
     * @param int $attempts how often a request is sent at most
     * @param float $patience seconds after which no further attempt begins
     * @param float $connectTimeout seconds until a connection is open
     * @param float $timeout seconds until the answer to a request is complete
     * @param float $firstPause seconds of the first pause before another attempt; half of it is random
     * @param float $longestPause the longest pause in seconds, unless the router asks for a longer one
     * @param int $linesPerRequest pushes that `pushAll` sends at a time; the router accepts 10,000
     * @param int $bytesPerRequest their bytes; the router accepts 8 MiB
     * @param bool $outcomes whether to ask what becomes of the pushes: `outcome` of each result
     */
    public function __construct(
        public readonly ?string $caFile = null,
        public readonly ?string $certificate = null,
        public readonly ?string $key = null,
        public readonly bool $allowPlain = false,
        public readonly int $attempts = 8,
        public readonly float $patience = 60.0,
        public readonly float $connectTimeout = 10.0,
        public readonly float $timeout = 30.0,
        public readonly float $firstPause = 0.1,
        public readonly float $longestPause = 5.0,
        public readonly int $linesPerRequest = 1000,
        public readonly int $bytesPerRequest = 1 << 20,
        public readonly bool $outcomes = false,
    ) {
        if ($attempts < 1 || $linesPerRequest < 1 || $bytesPerRequest < 1) {
            throw new \InvalidArgumentException('attempts, lines and bytes are at least 1');
        }
    }
}
