<?php

declare(strict_types=1);

namespace ReloadRouter;

/**
 * The router refuses the request: the sender, its token or the app file must be changed first.
 */
final class RefusedException extends RouterException
{
}
