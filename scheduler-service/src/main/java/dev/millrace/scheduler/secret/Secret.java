package dev.millrace.scheduler.secret;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.version.ReferenceUsers;
import java.time.Instant;
import java.util.List;

/**
 * A secret without its value.
 *
 * @param version number of the present value, from 1
 * @param versions the last versions, the latest first
 * @param users what refers to it, some of each kind if there are many
 */
record Secret(
        String path, StoreKind store, String description, long version, List<Version> versions, ReferenceUsers users) {
    Secret {
        requireNonNull(path, "path");
        requireNonNull(store, "store");
        requireNonNull(description, "description");
        versions = List.copyOf(versions);
        requireNonNull(users, "users");
    }

    /** Who set a value, and when. */
    record Version(long number, String createdBy, Instant createdAt) {
        Version {
            requireNonNull(createdBy, "createdBy");
            requireNonNull(createdAt, "createdAt");
        }
    }
}
