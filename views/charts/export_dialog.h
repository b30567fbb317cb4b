#pragma once
// Which figures are exported or printed, and how they look on paper. The picture beside the choices is drawn by what
// draws the files.

#include "views/charts/picture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFontComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

// A figure that can be exported.
struct Exportable {
    QString id, title;
    bool in_view = false;      // on the page that is shown
    std::function<Picture(const FigureOptions&)> picture;
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // `programmes`: id and name of the profiles that choices are remembered for. `remember`: in the settings.
    ExportDialog(std::vector<Exportable> figures, const std::vector<std::pair<QString, QString>>& programmes,
                 bool remember, QWidget* parent = nullptr);

    enum class Wanted { files, print, preview };
    Wanted wanted() const { return wanted_; }
    ExportOptions options() const;
    std::vector<Picture> pictures() const;   // those that are chosen
    QString said() const { return said_->text(); }
    QPixmap shown() const { return preview_->pixmap(); }

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    QWidget* build_figures();
    QWidget* build_look();
    QWidget* build_files();
    void take(const ExportOptions&);
    void tick(const std::function<bool(const Exportable&)>&);
    void follow();
    void finish(Wanted);
    void draw();

    std::vector<Exportable> figures_;
    bool remember_;
    Wanted wanted_ = Wanted::files;
    QComboBox *programme_, *columns_, *language_;
    QListWidget* list_;
    QDoubleSpinBox *width_, *height_, *points_;
    QSpinBox* dpi_;
    QFontComboBox* font_;
    QCheckBox *title_, *legend_, *grey_, *sheet_;
    std::vector<QCheckBox*> formats_;
    QLabel *preview_, *said_;
    std::vector<QPushButton*> ends_;   // of the dialog: they need something that can be drawn
    QTimer turn_;                      // several changes in a row are one picture
};

}  // namespace plimsoll
