package dev.millrace.scheduler.wake;

/** Event: another scheduler asks which runs somebody follows here. */
public record FollowersAskedElsewhere() {}
