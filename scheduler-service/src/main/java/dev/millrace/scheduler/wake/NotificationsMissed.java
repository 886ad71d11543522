package dev.millrace.scheduler.wake;

/** Notifications of other schedulers may have been missed: whoever relies on them looks at the database. */
public record NotificationsMissed() {}
