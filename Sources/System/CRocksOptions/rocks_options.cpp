#include "rocks_options.h"

#include <memory>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>

// The definition of this opaque type of rocksdb/c.h, as in RocksDB's db/c.cc.
struct rocksdb_options_t {
    rocksdb::Options rep;
};

namespace {

// Discards all messages; without one, RocksDB opens a log file.
class SilentLogger final : public rocksdb::Logger {
public:
    SilentLogger() : Logger(rocksdb::InfoLogLevel::HEADER_LEVEL) {}
    void LogHeader(const char *, va_list) override {}
    void Logv(const char *, va_list) override {}
    void Logv(const rocksdb::InfoLogLevel, const char *, va_list) override {}
};

// Makes every background error a hard one that RocksDB does not try to recover from.
class FailStop final : public rocksdb::EventListener {
public:
    void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status *error) override {
        if (error->severity() < rocksdb::Status::Severity::kHardError) {
            *error = rocksdb::Status(*error, rocksdb::Status::Severity::kHardError);
        }
    }

    void OnErrorRecoveryBegin(
        rocksdb::BackgroundErrorReason, rocksdb::Status, bool *recovers
    ) override {
        *recovers = false;
    }
};

} // namespace

void rocks_options_disable_info_log(rocksdb_options_t *options) {
    options->rep.info_log = std::make_shared<SilentLogger>();
}

void rocks_options_set_fail_stop(rocksdb_options_t *options) {
    options->rep.max_bgerror_resume_count = 0;
    options->rep.listeners.push_back(std::make_shared<FailStop>());
}
