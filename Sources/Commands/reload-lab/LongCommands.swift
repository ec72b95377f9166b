import CommandSupport

// The commands of the laboratory that may take more than two seconds, and what they do meanwhile.

extension Fleet: LongCommand { var activity: String? { "starting" } }
extension Simulate: LongCommand { var activity: String? { "playing a day" } }
extension Replay: LongCommand { var activity: String? { "reading the recording" } }
extension CaptureGenerate: LongCommand { var activity: String? { "generating the records" } }
extension CaptureToLines: LongCommand { var activity: String? { "writing the records as lines" } }
extension CaptureFromLines: LongCommand { var activity: String? { "reading the lines" } }
extension MergeCaptures: LongCommand { var activity: String? { "merging the recordings" } }
extension CutCapture: LongCommand { var activity: String? { "copying a part of the recording" } }
extension CaptureInfo: LongCommand { var activity: String? { "reading the recording" } }
