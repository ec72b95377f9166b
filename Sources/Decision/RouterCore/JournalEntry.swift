/// What the router has taken in, as its journal keeps it: enough to come to the same state again.
///
/// The router's state is a function of these entries. So whatever a decision depends on beside the
/// state itself is in them: the time, what devices sent, which widgets the matcher found, which
/// timers had fired, which devices could take their RELOADs. What follows from all that is not.
///
///     clock     monotonic, wall: signed │ schedule clock              before the first entry of a time
///     session   connection │ role: 8 │ app │ name                     a HELLO was accepted
///     ended     connection                                            a session is over
///     frame     connection │ type: 8 │ body                           WIDGETS, TIMELINE, STATE, REQUEST
///     attached  connection │ device                                   the session speaks for the device
///     matched   producer │ taken: 8 │ runs of matches, see `recordMatches`
///     batch     producer │ lastSeq │ last burst                       all its matches are known
///     expired   count │ widgets: 32 each                              timers, in the order they fired
///     turns                                                           origins let go whose turn it was
///     handed    device: 32                                            its RELOADs were made
///     passed                                                          origins forgot what was over
///     apps      app file                                              a new app file was installed
///     restarted                                                       all sessions ended with the process
///     fannedOut count                                                 matches that were not taken at once
///     paused    app │ is it paused: 8                                 an operator has said so
///     slots     kind │ count │ dates: signed                          they were given places
///     forgotten count │ producers                                     nothing of them is kept any more
///
/// Numbers are varints, names and bodies stand behind their length.
enum JournalEntry: UInt8 {
    case clock = 1
    case session
    case ended
    case frame
    case attached
    case matched
    case batch
    case expired
    case turns
    case handed
    case passed
    case apps
    case restarted
    case fannedOut
    case paused
    case slots
    case forgotten
}
