import Basics
import ChangeDetection
import StoreFormat

@testable import RouterCore

extension Router {
    /// Writes all of the state at once, as a checkpoint would that found everything changed.
    func writeImage(epoch: UInt32, to changes: inout TableChanges) {
        state.writeImage(epoch: epoch, to: &changes)
    }
}

extension ReloadState {
    fileprivate func writeImage(epoch: UInt32, to changes: inout TableChanges) {
        func put(
            _ type: StateRecord,
            _ number: UInt32,
            _ body: (inout StoreWriter) -> Void
        ) {
            changes.put(TableKey(type: type.rawValue, number: number, epoch: epoch), body: body)
        }
        put(.shared, 0) { writeShared(to: &$0) }
        put(.catalog, 0) { writeCatalog(to: &$0) }
        for record in 0..<StateRecord.producerRecords(publishers.producers.end) {
            put(.producers, record) {
                publishers.writeProducers(
                    StateRecord.producers(of: record).clamped(to: publishers.producers.end),
                    to: &$0
                )
            }
        }
        put(.connections, 0) { reloads.delivery.writeConnections(to: &$0) }
        put(.requestQueues, 0) { publishers.requestKeys.writeQueues(to: &$0) }
        put(.revocations, 0) { revocations.write(to: &$0) }
        if !partition.isOnly { put(.homes, 0) { writeHomes(to: &$0) } }
        writePages(.requestKeys, publishers.requestKeys.slots, put)
        for origin in reloads.schedules.origins.ids {
            put(.origin, origin.rawValue) { reloads.schedules.origins[origin].write(to: &$0) }
        }
        for device in reloads.delivery.devices.ids where reloads.delivery.isStored(device) {
            put(.registration, device.rawValue) { writeRegistration(device, to: &$0) }
        }
        writePages(.widgets, reloads.delivery.widgets, put)
        writePages(.schedules, reloads.schedules.widgets, put)
        writePages(.devices, reloads.delivery.devices, put)
        writePages(.pushes, reloads.apns.pushes, put)
        for page in 0..<reloads.fields.widgets.pageCount {
            put(.fields, page) { writeFields(page, to: &$0) }
        }
    }

    private func writeFields(_ page: UInt32, to writer: inout StoreWriter) {
        reloads.fields.widgets.write(
            SlabPages.ids(of: page),
            catalog: reloads.fields.catalog,
            to: &writer
        )
    }

    private func writePages<ID: TableNumber, Element: StateElement>(
        _ type: StateRecord,
        _ slab: borrowing TrackedSlab<ID, Element>,
        _ put: (StateRecord, UInt32, (inout StoreWriter) -> Void) -> Void
    ) {
        for page in 0..<SlabPages.count(slab.end) {
            put(type, page) { writer in
                for slot in SlabPages.ids(of: page).clamped(to: slab.end) as NumberRange<ID> {
                    slab[slot].write(to: &writer)
                }
            }
        }
    }
}
