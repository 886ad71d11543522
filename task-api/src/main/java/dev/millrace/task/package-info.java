/** Interface that a plug-in implements to add a kind of task that the server runs itself. */
@NullMarked
package dev.millrace.task;

import org.jspecify.annotations.NullMarked;
