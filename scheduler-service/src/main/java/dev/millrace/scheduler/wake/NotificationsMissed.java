package dev.millrace.scheduler.wake;

/** Event: notifications of other schedulers may have been missed, so subscribers must look at the database. */
public record NotificationsMissed() {}
