<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * What became of pushes.
 */
final class Result
{
    /** How many widgets an outcome names. */
    private const WIDGETS = 4;

    /**
     * @param int $accepted pushes that were accepted, and are as durable as the router's operator has chosen
     * @param int $duplicates pushes that had no effect, because they had been accepted before
     * @param int $matched widgets that the accepted pushes matched
     * @param list<Rejection> $rejected pushes that were refused: of each request, the first 64
     * @param int $moreRejected further pushes that were refused
     * @param array<mixed>|null $outcome what became of the accepted pushes: the `outcome` of `protocol/http.md`; null if
     *     it was not asked for, or the router does not say it, as in a repeated answer
     */
    public function __construct(
        public readonly int $accepted = 0,
        public readonly int $duplicates = 0,
        public readonly int $matched = 0,
        public readonly array $rejected = [],
        public readonly int $moreRejected = 0,
        public readonly ?array $outcome = null,
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
            self::sum($this->outcome, $other->outcome),
        );
    }

    /**
     * Two outcomes as one: numbers add up, and the first widgets stay.
     *
     * @param array<mixed>|null $one
     * @param array<mixed>|null $other
     * @return array<mixed>|null
     */
    private static function sum(?array $one, ?array $other): ?array
    {
        if ($one === null || $other === null) {
            return $one ?? $other;
        }
        $sum = $one + $other;
        foreach (['missed', 'duplicates'] as $name) {
            $sum[$name] = (int) ($one[$name] ?? 0) + (int) ($other[$name] ?? 0);
        }
        $sum['counts'] = (array) ($one['counts'] ?? []);
        foreach ((array) ($other['counts'] ?? []) as $reason => $count) {
            $sum['counts'][$reason] = ($sum['counts'][$reason] ?? 0) + $count;
        }
        $sum['widgets'] = array_slice([...($one['widgets'] ?? []), ...($other['widgets'] ?? [])], 0, self::WIDGETS);
        return $sum;
    }
}
