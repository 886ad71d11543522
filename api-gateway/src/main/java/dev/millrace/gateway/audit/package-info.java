/** The record of who did what, and who was refused. */
@NullMarked
package dev.millrace.gateway.audit;

import org.jspecify.annotations.NullMarked;
