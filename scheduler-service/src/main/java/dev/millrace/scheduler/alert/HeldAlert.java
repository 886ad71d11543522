package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Alert;

/**
 * An alert that this scheduler holds.
 *
 * @param version counts the changes of the alert
 * @param position where its events go on
 */
record HeldAlert(Alert alert, int version, String position) {
    AlertKey key() {
        return new AlertKey(alert.workspace(), alert.name());
    }
}
