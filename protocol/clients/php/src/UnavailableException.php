<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * All attempts have failed, and another one may succeed later. The pushes may have been accepted: push the same again
 * with `$key`, within 24 hours, and each has its effect once.
 */
final class UnavailableException extends RouterException
{
    /**
     * @param string $key the idempotency key of the request that has failed
     * @param Result|null $before what became of the requests of the same `pushAll` before this one
     */
    public function __construct(
        public readonly string $key,
        string $reason,
        int $status,
        string $message,
        public readonly ?Result $before = null,
    ) {
        parent::__construct($reason, $status, $message);
    }
}
