<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * A push of several that the router has refused.
 */
final class Rejection
{
    /**
     * @param int $index the push's place in what was given to `pushAll`, from 0
     * @param string $code the protocol's code, such as payload-too-deep
     */
    public function __construct(
        public readonly int $index,
        public readonly string $code,
        public readonly string $detail,
    ) {
    }
}
