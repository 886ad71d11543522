package dev.millrace.scheduler.eventtrigger;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Which events start a run, and what the run gets of them.
 *
 * @param types as in a filter of events
 * @param folder first part of the name; absent for all
 * @param path name of the flow, script, run or schedule; absent for all
 * @param eventInput parameter of the input that gets the event; empty for none
 */
record EventTriggerSettings(List<String> types, Optional<String> folder, Optional<String> path, String eventInput) {
    EventTriggerSettings {
        types = List.copyOf(types);
        requireNonNull(folder, "folder");
        requireNonNull(path, "path");
        requireNonNull(eventInput, "eventInput");
    }
}
