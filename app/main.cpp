#include "app/commands/command_line.h"

#ifdef PLIMSOLL_GUI
#include "app/window/window.h"

int main(int argc, char** argv) {
    plimsoll::PlannerWindow window(argc, argv);
    return plimsoll::run(argc, argv, &window);
}
#else
int main(int argc, char** argv) { return plimsoll::run(argc, argv); }
#endif
