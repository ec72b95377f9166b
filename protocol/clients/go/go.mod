module reloadrouter

go 1.19
