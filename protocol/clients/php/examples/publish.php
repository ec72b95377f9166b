<?php

declare(strict_types=1);

// Publishes that an article has changed: php publish.php URL TOKEN [ca.pem]

use ReloadRouter\Publisher;
use ReloadRouter\Settings;
use ReloadRouter\UnavailableException;

require __DIR__ . '/../tools/autoload.php'; // With Composer: vendor/autoload.php

[, $url, $token] = $argv;
$settings = new Settings(caFile: $argv[3] ?? null, allowPlain: str_starts_with($url, 'http:'));
$publisher = new Publisher($url, 'com.mynews', $token, $settings);
try {
    // The same version of the article is the same push, however often the CMS sends it.
    $result = $publisher->push(['section' => 'sport', 'article' => 17], key: 'article-17-v3');
    echo "accepted {$result->accepted}, widgets {$result->matched}\n";
} catch (UnavailableException $error) {
    // Later: the same push with the same key.
    fwrite(STDERR, "{$error->getMessage()}; push again with the key {$error->key}\n");
    exit(1);
}
