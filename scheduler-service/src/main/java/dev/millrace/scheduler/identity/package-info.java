/** Principals, their roles and their tokens: what is stored of them, and the services by which they are managed. */
@NullMarked
package dev.millrace.scheduler.identity;

import org.jspecify.annotations.NullMarked;
