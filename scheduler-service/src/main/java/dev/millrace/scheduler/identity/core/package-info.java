/** What tokens look like, and what may be said of principals. Knows no database. */
@NullMarked
package dev.millrace.scheduler.identity.core;

import org.jspecify.annotations.NullMarked;
