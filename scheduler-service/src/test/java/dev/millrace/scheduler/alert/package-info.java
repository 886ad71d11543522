/** Tests of alerts. */
@NullMarked
package dev.millrace.scheduler.alert;

import org.jspecify.annotations.NullMarked;
