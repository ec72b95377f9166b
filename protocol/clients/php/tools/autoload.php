<?php

declare(strict_types=1);

// What Composer's autoloader does, for programs that run without it.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'ReloadRouter\\')) {
        require __DIR__ . '/../src/' . strtr(substr($class, strlen('ReloadRouter\\')), '\\', '/') . '.php';
    }
});
