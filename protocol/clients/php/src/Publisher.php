<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * Publishes pushes of an app over HTTP. Each request has an idempotency key, under which it is sent again after a
 * fault: a push has its effect once, however often it was sent.
 */
final class Publisher
{
    /** The beginning of 2001 and the end of 9999, in milliseconds since 1970. */
    private const DATES = [978_307_200_000, 253_402_300_799_999];

    private readonly Transport $transport;

    /**
     * @param string $address the router's listener for publishers, as https://router.example:7412 or HOST:PORT, which
     *     means https:
     * @param string $app the app's identifier
     * @param string|null $token the publisher's token; null if a certificate takes its place
     * @param \Closure(int, string, float): void|null $onRetry called before each further attempt with its number, the
     *     reason and the pause in seconds; without it, the first failure of a request goes to the error log
     */
    public function __construct(
        string $address,
        string $app,
        private readonly ?string $token = null,
        private readonly Settings $settings = new Settings(),
        private readonly ?\Closure $onRetry = null,
    ) {
        $url = self::url($address, $settings->allowPlain);
        if ($token !== null && !preg_match('/^[\x21-\x7e]+$/D', $token)) {
            throw new \InvalidArgumentException('a token consists of visible characters');
        }
        $this->transport = new Transport(rtrim($url, '/') . '/v1/apps/' . rawurlencode($app) . '/pushes', $settings);
    }

    private static function url(string $address, bool $allowPlain): string
    {
        $url = str_contains($address, '://') ? $address : "https://$address";
        $parts = preg_match('/[\x00-\x20\x7f]/', $url) ? false : parse_url($url);
        if (!is_array($parts) || ($parts['host'] ?? '') === '' || ($parts['port'] ?? 1) === 0
            || isset($parts['user']) || isset($parts['query']) || isset($parts['fragment'])
            || preg_match('~:$~', (string) preg_replace('~^[a-z]+://~i', '', rtrim($url, '/')))) {
            throw new \InvalidArgumentException("\"$address\" is no address: a URL with a host, HOST:PORT or [IPv6]:PORT");
        }
        if (!preg_match($allowPlain ? '~^https?://~i' : '~^https://~i', $url)) {
            throw new \InvalidArgumentException('the URL must begin with https:, or allowPlain be set');
        }
        return $url;
    }

    /**
     * Publishes one push, and returns when the router has accepted it.
     *
     * @param array<mixed>|object|string $payload an array with keys, an object, or JSON
     * @param bool $urgent whether its reloads precede others
     * @param int|null $expiresAt when it expires, in milliseconds since 1970; other dates are refused
     * @param list<string>|null $kinds the only kinds that it is for
     * @param string|null $key what makes it the same push as before, such as "article-17-v3"; null for a random one
     * @throws RejectedException if the router refuses the push
     * @throws RefusedException if it refuses the sender
     * @throws UnavailableException if no attempt was successful
     */
    public function push(
        array|object|string $payload,
        bool $urgent = false,
        ?int $expiresAt = null,
        ?array $kinds = null,
        ?string $key = null,
    ): Result {
        $headers = $this->headers('application/json', $urgent, $expiresAt, $kinds);
        return $this->send(Payload::encode($payload), $headers, $key ?? self::randomKey(), 0);
    }

    /**
     * Publishes many pushes, in requests of at most `linesPerRequest`, in their order. A refused push does not delay
     * the others: `rejected` of the result lists the first 64 of each request, and `moreRejected` counts the rest.
     *
     * @param iterable<array<mixed>|object|string> $payloads
     * @param list<string>|null $kinds
     * @param string|null $key what makes them the same pushes as before; request N has the key "$key/N"
     * @throws RefusedException if the router refuses the sender
     * @throws UnavailableException if no attempt was successful for one request; those before it were accepted
     */
    public function pushAll(
        iterable $payloads,
        bool $urgent = false,
        ?int $expiresAt = null,
        ?array $kinds = null,
        ?string $key = null,
    ): Result {
        $headers = $this->headers('application/x-ndjson', $urgent, $expiresAt, $kinds);
        $key ??= self::randomKey();
        $result = new Result();
        $first = 0;
        foreach ($this->requests($payloads) as $number => $lines) {
            try {
                $result = $result->and($this->send(implode("\n", $lines) . "\n", $headers, "$key/$number", $first));
            } catch (RejectedException $error) {
                // The answer to a request with one line, or none of whose lines is good.
                $result = $result->and(new Result(rejected: array_map(
                    static fn (int $line): Rejection => new Rejection($line, $error->reason, $error->getMessage()),
                    range($first, $first + count($lines) - 1),
                )));
            } catch (UnavailableException $error) {
                throw new UnavailableException($key, $error->reason, $error->status, $error->getMessage(), $result);
            }
            $first += count($lines);
        }
        return $result;
    }

    /**
     * Asks what has become so far of the pushes of the request that had this key: when each came, and for each widget
     * that it matches whether its reload was sent, waits, or is not needed. The router says it of its last pushes, as
     * long as it runs.
     *
     * @param string $key what was given to `push`; of request N of `pushAll`, "$key/N"
     * @return list<array<mixed>> the history of each push, the newest first, at most 64: the body of
     *     `protocol/http.md`, section 3, with at most 64 widgets
     * @throws RefusedException with the reason `push-unknown`, or `push-forgotten` if the router does not keep it any more
     * @throws UnavailableException if no attempt was successful
     */
    public function history(string $key): array
    {
        $headers = $this->token === null ? [] : ["Authorization: Bearer {$this->token}"];
        [, $list] = $this->exchange('?key=' . rawurlencode($key), null, $headers, $key, 'pushes');
        $histories = [];
        foreach ($list['pushes'] as $push) {
            $path = '/' . rawurlencode((string) $push['producer']) . '/' . (int) $push['seq'];
            $histories[] = $this->exchange($path, null, $headers, $key, 'widgets')[1];
        }
        return $histories;
    }

    /**
     * @param iterable<array<mixed>|object|string> $payloads
     * @return \Generator<int, non-empty-list<string>> the lines of each request
     */
    private function requests(iterable $payloads): \Generator
    {
        $lines = [];
        $size = 0;
        foreach ($payloads as $payload) {
            $line = Payload::encode($payload);
            $isFull = count($lines) >= $this->settings->linesPerRequest
                || $size + strlen($line) >= $this->settings->bytesPerRequest;
            if ($lines !== [] && $isFull) {
                yield $lines;
                [$lines, $size] = [[], 0];
            }
            $lines[] = $line;
            $size += strlen($line) + 1;
        }
        if ($lines !== []) {
            yield $lines;
        }
    }

    /**
     * @param list<string>|null $kinds
     * @return list<string>
     */
    private function headers(string $type, bool $urgent, ?int $expiresAt, ?array $kinds): array
    {
        $headers = ["Content-Type: $type"];
        if ($this->token !== null) {
            $headers[] = "Authorization: Bearer {$this->token}";
        }
        if ($urgent) {
            $headers[] = 'Reload-Urgent: ?1';
        }
        if ($this->settings->outcomes) {
            $headers[] = 'Reload-Outcomes: ?1';
        }
        if ($expiresAt !== null) {
            if ($expiresAt < self::DATES[0] || $expiresAt > self::DATES[1]) {
                throw new \InvalidArgumentException(
                    "expiresAt is $expiresAt, which is no date from 2001 to 9999 in milliseconds since 1970",
                );
            }
            $headers[] = "Reload-Void-At: $expiresAt";
        }
        if ($kinds !== null) {
            foreach ($kinds as $kind) {
                if (preg_match('/^[^\x00-\x20,\x7f][^\x00-\x1f,\x7f]*$/D', $kind) !== 1) {
                    throw new \InvalidArgumentException('a kind is not empty, and has no comma');
                }
            }
            // curl takes a header without a value for one to be left out, unless it ends with a semicolon.
            $headers[] = $kinds === [] ? 'Reload-Kinds;' : 'Reload-Kinds: ' . implode(',', $kinds);
        }
        return $headers;
    }

    /**
     * Sends the pushes of a request until it has an answer.
     *
     * @param list<string> $headers
     * @param int $first the place of the first push in what was given to `pushAll`
     */
    private function send(string $body, array $headers, string $key, int $first): Result
    {
        if (preg_match('/^[\x20-\x7e]{1,255}$/D', $key) !== 1) {
            throw new \InvalidArgumentException('an idempotency key has 1 to 255 visible characters');
        }
        $headers[] = 'Idempotency-Key: "' . addcslashes($key, '"\\') . '"';
        [$status, $answer] = $this->exchange('', $body, $headers, $key, 'accepted');
        // With 422, each line was refused, for its own reason.
        return self::result($status === 422 ? ['accepted' => 0] + $answer : $answer, $first);
    }

    /**
     * Sends a request until it has an answer.
     *
     * @param string $more what follows the path of the pushes
     * @param string|null $body the pushes; null for a question
     * @param list<string> $headers
     * @param string $member what an answer has
     * @return array{int, array<mixed>} its status and body
     */
    private function exchange(string $more, ?string $body, array $headers, string $key, string $member): array
    {
        $began = hrtime(true);
        $step = $this->settings->firstPause;
        for ($attempt = 1;; $attempt++) {
            [$status, $answered, $text] = $this->transport->send($more, $body, $headers);
            $answer = json_decode($text, true);
            $answer = is_array($answer) ? $answer : [];
            $isWhole = $member === 'accepted' ? is_int($answer[$member] ?? null) : is_array($answer[$member] ?? null);
            if ($status >= 200 && $status < 300 && $isWhole) {
                return [$status, $answer];
            }
            $reason = is_string($answer['code'] ?? null) ? $answer['code'] : ($status ? "status-$status" : 'no-answer');
            $detail = is_string($answer['detail'] ?? null) ? $answer['detail'] : ($status ? '' : $text);
            $after = ctype_digit($answered['retry-after'] ?? '') ? (float) $answered['retry-after'] : null;
            if ($status === 422 && is_array($answer['rejected'] ?? null)) {
                return [$status, $answer];
            }
            if ($status === 422) {
                throw new RejectedException($reason, $status, $detail);
            }
            if ($status >= 300 && $status < 500 && $status !== 429 && $after === null) {
                throw new RefusedException($reason, $status, $detail);
            }
            $pause = max($after ?? 0.0, $step * (0.5 + 0.5 * random_int(0, 1000) / 1000));
            $step = min($step * 2, $this->settings->longestPause);
            $isLate = (hrtime(true) - $began) / 1e9 + $pause > $this->settings->patience;
            if ($attempt >= $this->settings->attempts || $isLate) {
                throw new UnavailableException($key, $reason, $status, $detail);
            }
            if ($this->onRetry !== null) {
                ($this->onRetry)($attempt + 1, $reason, $pause);
            } elseif ($attempt === 1) {
                error_log("reloadrouter: {$this->transport->url}: $reason: $detail; it is tried again");
            }
            usleep((int) ($pause * 1e6));
        }
    }

    /**
     * @param array<mixed> $answer
     */
    private static function result(array $answer, int $first): Result
    {
        $rejected = [];
        foreach (is_array($answer['rejected'] ?? null) ? $answer['rejected'] : [] as $each) {
            $rejected[] = new Rejection(
                $first + (int) ($each['line'] ?? 1) - 1,
                (string) ($each['code'] ?? ''),
                (string) ($each['detail'] ?? ''),
            );
        }
        return new Result(
            (int) $answer['accepted'],
            (int) ($answer['duplicates'] ?? 0),
            (int) ($answer['matched'] ?? 0),
            $rejected,
            (int) ($answer['moreRejected'] ?? 0),
            is_array($answer['outcome'] ?? null) ? $answer['outcome'] : null,
        );
    }

    private static function randomKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}
