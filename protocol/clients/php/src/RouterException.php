<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * The router has not accepted pushes. The subclass says whether another attempt is of use.
 */
abstract class RouterException extends \RuntimeException
{
    /**
     * @param string $reason the protocol's code, such as token-invalid; a word of the client if there is no answer
     * @param int $status the status of the answer; 0 if there is none
     */
    public function __construct(
        public readonly string $reason,
        public readonly int $status,
        string $message,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message === '' ? $reason : "$reason: $message", $status, $previous);
    }
}
