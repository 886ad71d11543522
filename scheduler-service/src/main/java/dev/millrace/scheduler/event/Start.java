package dev.millrace.scheduler.event;

import dev.millrace.scheduler.event.core.Position;

/** Where a reader begins. */
sealed interface Start {
    /** With the changes that are committed from now on. */
    record Now() implements Start {}

    /** With the oldest event that is kept. */
    record Oldest() implements Start {}

    /** After an event that the reader has. */
    record After(Position position) implements Start {}
}
