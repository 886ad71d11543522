package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.queue.core.Workspace;

/** Names an alert. */
record AlertKey(Workspace workspace, String name) {}
