package dev.millrace.scheduler.version;

/** Event: a script or flow was deployed or deleted, or packages were chosen for a version; after the commit. */
public record VersionsChanged() {}
