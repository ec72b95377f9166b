<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * The router has refused the push itself; the same would be refused again.
 */
final class RejectedException extends RouterException
{
}
