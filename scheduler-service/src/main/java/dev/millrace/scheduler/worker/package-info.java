/** Sessions of workers: how they open, resume, live and expire. */
@NullMarked
package dev.millrace.scheduler.worker;

import org.jspecify.annotations.NullMarked;
