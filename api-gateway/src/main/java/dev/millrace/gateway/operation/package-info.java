/** Operations on runs: pause, resume and the like; and the record of them. */
@NullMarked
package dev.millrace.gateway.operation;

import org.jspecify.annotations.NullMarked;
