/** What runs wait for, and the signals and answers that end it. */
@NullMarked
package dev.millrace.gateway.signal;

import org.jspecify.annotations.NullMarked;
