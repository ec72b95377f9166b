<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * What became of pushes.
 */
final class Result
{
    /**
     * @param int $accepted pushes that were accepted, and are as durable as the router's operator has chosen
     * @param int $duplicates pushes that had no effect, because they had been accepted before
     * @param int $matched widgets that the accepted pushes matched
     * @param list<Rejection> $rejected pushes that were refused: of each request, the first 64
     * @param int $moreRejected further pushes that were refused
     */
    public function __construct(
        public readonly int $accepted = 0,
        public readonly int $duplicates = 0,
        public readonly int $matched = 0,
        public readonly array $rejected = [],
        public readonly int $moreRejected = 0,
    ) {
    }

    /**
     * Both results as one.
     */
    public function and(Result $other): Result
    {
        return new Result(
            $this->accepted + $other->accepted,
            $this->duplicates + $other->duplicates,
            $this->matched + $other->matched,
            [...$this->rejected, ...$other->rejected],
            $this->moreRejected + $other->moreRejected,
        );
    }
}
