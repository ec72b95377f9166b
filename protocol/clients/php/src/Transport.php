<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * One connection to the router, which is kept between requests.
 *
 * @internal
 */
final class Transport
{
    private \CurlHandle $curl;

    /** @var array<string, string> the last answer's headers, with names in lower case */
    private array $headers = [];

    public function __construct(public readonly string $url, Settings $settings)
    {
        $this->curl = curl_init();
        $isSet = curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTPS | ($settings->allowPlain ? CURLPROTO_HTTP : 0),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TCP_NODELAY => true,
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil($settings->connectTimeout * 1000),
            CURLOPT_TIMEOUT_MS => (int) ceil($settings->timeout * 1000),
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $curl, string $line): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $this->headers = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $this->headers[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ] + array_filter([
            CURLOPT_CAINFO => $settings->caFile,
            CURLOPT_SSLCERT => $settings->certificate,
            CURLOPT_SSLKEY => $settings->key,
        ], static fn (?string $file): bool => $file !== null));
        if (!$isSet) {
            throw new \InvalidArgumentException("not a usable address or certificate: $url");
        }
    }

    /**
     * Sends a request and reads the answer.
     *
     * @param string $more what follows the path of the pushes: of a question, the rest of the path and the query
     * @param string|null $body the pushes; null for a question, which is asked by GET
     * @param list<string> $headers
     * @return array{int, array<string, string>, string} status, headers and body; status 0 and the reason as the body
     *     if there is no whole answer
     */
    public function send(string $more, ?string $body, array $headers): array
    {
        $this->headers = [];
        $method = $body === null ? [CURLOPT_HTTPGET => true] : [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $body];
        curl_setopt_array($this->curl, $method + [
            CURLOPT_URL => $this->url . $more,
            // Without an empty Expect, curl waits for a 100 before it sends a large body.
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
        ]);
        $answer = curl_exec($this->curl);
        if (!is_string($answer)) {
            return [0, [], curl_error($this->curl)];
        }
        return [(int) curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), $this->headers, $answer];
    }
}
