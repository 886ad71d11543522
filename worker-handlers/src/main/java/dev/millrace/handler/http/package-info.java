/** HTTP requests as jobs, restricted to the addresses that the worker's operator allows. */
@NullMarked
package dev.millrace.handler.http;

import org.jspecify.annotations.NullMarked;
