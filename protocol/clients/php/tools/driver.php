<?php

declare(strict_types=1);

// The program by which the suite of Tests/ClientTests controls this client: JSON lines in, JSON lines out.

namespace ReloadRouter;

require __DIR__ . '/autoload.php';

/** @param array<string, mixed> $command */
function publisher(array $command): Publisher
{
    return new Publisher($command['url'], $command['app'], $command['token'], new Settings(
        caFile: $command['ca'],
        certificate: $command['certificate'],
        key: $command['key'],
        allowPlain: $command['plain'],
        attempts: $command['attempts'],
        patience: $command['patienceMs'] / 1000,
        timeout: $command['timeoutMs'] / 1000,
        firstPause: $command['backoffMs'][0] / 1000,
        longestPause: $command['backoffMs'][1] / 1000,
        linesPerRequest: $command['lines'],
        outcomes: $command['outcomes'] ?? false,
    ));
}

/**
 * @param array<string, mixed> $command
 * @return array<string, mixed>
 */
function perform(Publisher $publisher, array $command, string $line): array
{
    $options = [$command['urgent'] ?? false, $command['expiresAt'] ?? null, $command['kinds'] ?? null,
        $command['key'] ?? null];
    try {
        if ($command['do'] === 'history') {
            return ['histories' => $publisher->history($command['key'])];
        }
        if ($command['do'] === 'push') {
            // As an object, so that an empty object stays one.
            $result = $publisher->push($command['text'] ?? json_decode($line)->payload, ...$options);
        } else {
            $result = $publisher->pushAll(json_decode($line)->payloads, ...$options);
        }
        return ['result' => $result];
    } catch (UnavailableException $error) {
        return ['unavailable' => ['code' => $error->reason, 'status' => $error->status, 'key' => $error->key,
            'before' => $error->before]];
    } catch (RejectedException $error) {
        return ['rejected' => ['code' => $error->reason, 'status' => $error->status]];
    } catch (RefusedException $error) {
        return ['refused' => ['code' => $error->reason, 'status' => $error->status]];
    } catch (\InvalidArgumentException $error) {
        return ['error' => $error->getMessage()];
    }
}

$publisher = null;
while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    try {
        if ($command['do'] === 'close') {
            echo json_encode(['closed' => true]), "\n";
            exit(0);
        }
        if ($command['do'] === 'open') {
            $publisher = publisher($command);
            $answer = ['opened' => true];
        } else {
            $answer = perform($publisher, $command, $line);
        }
    } catch (\InvalidArgumentException $error) {
        $answer = ['error' => $error->getMessage()];
    }
    echo json_encode($answer), "\n";
    flush();
}
