<?php

declare(strict_types=1);

// Publishes that a story has changed: to RELOAD_ADDRESS with RELOAD_TOKEN; RELOAD_CA names another authority.

use ReloadRouter\Publisher;
use ReloadRouter\Settings;
use ReloadRouter\UnavailableException;

require __DIR__ . '/../tools/autoload.php'; // With Composer: vendor/autoload.php

$isPlain = getenv('RELOAD_PLAINTEXT') === '1';
$address = ($isPlain ? 'http://' : 'https://') . getenv('RELOAD_ADDRESS'); // HOST:PORT
$settings = new Settings(caFile: getenv('RELOAD_CA') ?: null, allowPlain: $isPlain);
$publisher = new Publisher($address, 'org.dailynews', getenv('RELOAD_TOKEN') ?: null, $settings);
try {
    // The same version of the story is the same push, however often the CMS sends it.
    $story = ['event' => 'published', 'story' => 17, 'topics' => ['science']];
    $result = $publisher->push($story, key: 'story-17-v3');
    echo "accepted {$result->accepted}, widgets {$result->matched}\n";
} catch (UnavailableException $error) {
    // Later: the same push with the same key.
    fwrite(STDERR, "{$error->getMessage()}; push again with the key {$error->key}\n");
    exit(1);
}
